#!/usr/bin/env php
<?php
declare(strict_types=1);

/**
 * ledger.php - add up the harbour dues of a day
 *
 * PURPOSE:
 *   One line for each berth, one for the sum.
 *
 * ==============================
 *  Rounding
 * ==============================
 *
 * Half a cent goes to the harbour.
 *
 * @author  The Harbour Office
 * @license MIT
 */

namespace Harbour;

// Not a header.
const CENTS = 100;
