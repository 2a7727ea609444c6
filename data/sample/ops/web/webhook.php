<?php
declare(strict_types=1);

/**
 * webhook.php - take messages from other devices and hand them to the server
 *
 * PURPOSE
 * -------
 * The scanner, the router and the door camera can call an address when they
 * have something to say. This page checks the call and leaves a small job file
 * for the server to pick up.
 *
 * OPERATIONAL MODEL
 * -----------------
 * Job files
 *   Every accepted call becomes one JSON file in /run/larder/jobs, where
 *   spool-drain.sh finds it; the web container itself runs nothing.
 *
 * Known events
 *   Only scan-done, link-down and motion are accepted. Anything else is
 *   answered with 404.
 *
 * DESIGN PRINCIPLES
 * -----------------
 * Accept first, work later
 *   Devices give up after a second or two. Writing a file is quick enough for
 *   the slowest of them.
 *
 * OPERATIONAL SAFEGUARDS
 * ----------------------
 * Signed calls only
 *   The body must carry an HMAC-SHA256 made with WEBHOOK_SECRET. Without a
 *   secret in the settings every call is refused.
 *
 * Replay window
 *   A call names its time, and one that is more than five minutes off is
 *   refused. The same identifier is accepted once.
 *
 * Body limit
 *   Bodies above WEBHOOK_MAX_BODY are cut off with 413 before they are parsed.
 *
 * CONFIGURATION
 * -------------
 * WEBHOOK_SECRET
 *   Shared secret; there is none until you set one.
 *
 * WEBHOOK_MAX_BODY
 *   Largest body in bytes.
 *   Default: 64 KiB
 *
 * RUNTIME MODES
 * -------------
 * POST
 *   The only method; others get 405.
 */

const JOB_DIR = '/run/larder/jobs';
const EVENTS = ['scan-done', 'link-down', 'motion'];
const REPLAY_SECONDS = 300;

function refuse(int $status, string $reason): never
{
    http_response_code($status);
    header('Content-Type: text/plain');
    echo $reason, "\n";
    exit;
}

$secret = (string) getenv('WEBHOOK_SECRET');
$limit = (int) (getenv('WEBHOOK_MAX_BODY') ?: 65536);

if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST') {
    refuse(405, 'POST only');
}
if ($secret === '') {
    refuse(403, 'no secret configured');
}
$body = (string) file_get_contents('php://input', false, null, 0, $limit + 1);
if (strlen($body) > $limit) {
    refuse(413, 'body too large');
}
$signature = (string) ($_SERVER['HTTP_X_SIGNATURE'] ?? '');
if (!hash_equals(hash_hmac('sha256', $body, $secret), $signature)) {
    refuse(403, 'bad signature');
}
$call = json_decode($body, true);
if (!is_array($call) || !in_array($call['event'] ?? null, EVENTS, true)) {
    refuse(404, 'unknown event');
}
if (abs(time() - (int) ($call['time'] ?? 0)) > REPLAY_SECONDS) {
    refuse(403, 'outside the replay window');
}
$id = (string) ($call['id'] ?? '');
if (preg_match('/^[A-Za-z0-9-]{8,64}$/', $id) !== 1) {
    refuse(400, 'bad identifier');
}

$handle = @fopen(JOB_DIR . '/' . $id . '.json', 'x');
if ($handle === false) {
    refuse(409, 'seen before');
}
fwrite($handle, json_encode(['event' => $call['event'], 'data' => $call['data'] ?? null]));
fclose($handle);
http_response_code(202);
