<?php

declare(strict_types=1);

namespace Gantry;

/** An event of the stream, and the cursor to continue from after it. */
final class Event
{
    /** @param array<string, mixed> $data */
    public function __construct(
        public readonly string $type,
        public readonly string $id,
        public readonly string $cursor,
        public readonly array $data,
    ) {
    }
}
