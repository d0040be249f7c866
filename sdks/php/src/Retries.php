<?php

declare(strict_types=1);

namespace Gantry;

/** `attempts` beyond the first; waits double from `firstWait`, and a longer `Retry-After` than `maxWait` ends them. */
final class Retries
{
    public function __construct(
        public readonly int $attempts = 3,
        public readonly float $firstWait = 0.25,
        public readonly float $maxWait = 30.0,
    ) {
    }
}
