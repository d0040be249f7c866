<?php

declare(strict_types=1);

namespace Gantry;

/** The request is not from the platform, or is a recording. */
final class InvalidSignature extends GantryError
{
}
