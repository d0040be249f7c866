<?php

declare(strict_types=1);

namespace Gantry;

/** A file of a form. */
final class File
{
    public function __construct(public readonly string $name, public readonly string $content)
    {
    }
}
