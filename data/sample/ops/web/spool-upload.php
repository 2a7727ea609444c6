<?php
declare(strict_types=1);

/**
 * spool-upload.php - put one file into the spool from a browser
 *
 * PURPOSE
 *
 * For telephones and visitors that cannot mount a share: a form with one button.
 * What is sent ends up in the spool and is filed from there like a scan.
 *
 * OPERATIONAL SAFEGUARDS
 *
 * Hidden until complete
 *   The file is written under a name that begins with a dot and renamed at the
 *   end. spool-drain.sh passes over such names, so half an upload is never
 *   filed.
 *
 * Harmless names
 *   Letters, digits, dot, dash and underscore stay; every other character
 *   becomes an underscore. A name can hold no folder.
 *
 * CONFIGURATION
 *
 * UPLOAD_MAX_BYTES
 *   Largest file in bytes (default: 50 MiB).
 *
 * RUNTIME MODES
 *
 * GET shows the form, POST takes the file.
 */

const SPOOL = '/spool';

$limit = (int) (getenv('UPLOAD_MAX_BYTES') ?: 52428800);
$message = '';

if (($_SERVER['REQUEST_METHOD'] ?? 'GET') === 'POST') {
    $file = $_FILES['file'] ?? null;
    if (!is_array($file) || $file['error'] !== UPLOAD_ERR_OK) {
        http_response_code(400);
        $message = 'Nothing arrived.';
    } elseif ($file['size'] > $limit) {
        http_response_code(413);
        $message = 'That file is too large.';
    } else {
        $name = ltrim((string) preg_replace('/[^A-Za-z0-9._-]/', '_', basename($file['name'])), '.');
        $name = $name === '' ? 'unnamed' : $name;
        $hidden = SPOOL . '/.' . bin2hex(random_bytes(4)) . '-' . $name;
        move_uploaded_file($file['tmp_name'], $hidden);
        rename($hidden, SPOOL . '/' . date('Ymd-His') . '-' . $name);
        $message = 'Thank you, the file is in.';
    }
}
?>
<!doctype html>
<title>larder: upload</title>
<p><?= $message ?></p>
<form method="post" enctype="multipart/form-data">
  <input type="file" name="file" required>
  <button>Send</button>
</form>
