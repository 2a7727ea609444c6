<?php
declare(strict_types=1);

/**
 * status.php - one page that says how the storage server is doing
 *
 * PURPOSE
 *
 * Shows fill levels, the last mover pass, the age of the newest snapshot and
 * the health of the disks on one page that fits a telephone.
 *
 * OPERATIONAL MODEL
 *
 * Reads, never asks
 *   The page reads files that the scripts have left in /run/larder. It starts
 *   no command, so it cannot wake a disk or hang on one.
 *
 * Traffic light
 *   Each line is good, warn or bad. The page as a whole is as bad as its worst
 *   line.
 *
 * DESIGN PRINCIPLES
 *
 * No login
 *   The page tells nothing that the front panel does not. A password would only
 *   keep the family from seeing that the backup is late.
 *
 * Works without scripts
 *   The page is plain HTML and reloads itself by a header. It still opens in
 *   the browser of an old television.
 *
 * OPERATIONAL SAFEGUARDS
 *
 * Old data is shown as old
 *   A report file older than two days turns its line to warn, whatever the
 *   report says. A dead timer must not look like good health.
 *
 * Everything is escaped
 *   Names of disks and shares pass through one escaping function before they
 *   reach the page.
 *
 * CONFIGURATION
 *
 * STATUS_REFRESH
 *   Seconds until the page reloads itself (default: 60).
 *
 * RUNTIME MODES
 *
 * ?format=json
 *   The same data as JSON, for the health check of the container.
 */

const RUN_DIR = '/run/larder';
const TOO_OLD = 2 * 86400;

function setting(string $name, int $fallback): int
{
    $value = getenv($name);
    return is_string($value) && ctype_digit($value) ? (int) $value : $fallback;
}

function escape(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

/** One line of the page from one report file: [name, light, text]. */
function line(string $name, string $file, callable $judge): array
{
    $path = RUN_DIR . '/' . $file;
    if (!is_readable($path)) {
        return [$name, 'warn', 'no report'];
    }
    $text = trim((string) file_get_contents($path));
    $light = $judge($text);
    if (time() - filemtime($path) > TOO_OLD && $light === 'good') {
        $light = 'warn';
    }
    return [$name, $light, $text];
}

$lines = [
    line('disks', 'health.txt', fn (string $t): string => str_contains($t, 'failing:') ? 'bad' : 'good'),
    line('mover', 'mover.last', fn (string $t): string => preg_match('/moved \d+ files|held:|below the high/', $t) ? 'good' : 'warn'),
    line('backup', 'backup.last', fn (string $t): string => str_contains($t, 'made ') ? 'good' : 'bad'),
    line('usage', 'usage.txt', fn (string $t): string => str_contains($t, 'CRIT') ? 'bad' : 'good'),
];
$lights = array_column($lines, 1);
$overall = in_array('bad', $lights, true) ? 'bad' : (in_array('warn', $lights, true) ? 'warn' : 'good');

if (($_GET['format'] ?? '') === 'json') {
    header('Content-Type: application/json');
    echo json_encode(['overall' => $overall, 'lines' => $lines], JSON_PRETTY_PRINT), "\n";
    exit;
}

header('Refresh: ' . setting('STATUS_REFRESH', 60));
echo "<!doctype html>\n<title>larder: ", escape($overall), "</title>\n<table>\n";
foreach ($lines as [$name, $light, $text]) {
    echo '<tr class="', $light, '"><th>', escape($name), '</th><td>', $light, '</td><td><pre>',
        escape($text), "</pre></td></tr>\n";
}
echo "</table>\n";
