<?php

declare(strict_types=1);

namespace Gantry;

/** Every error that a call throws. */
class GantryError extends \RuntimeException
{
}
