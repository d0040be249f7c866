<?php

declare(strict_types=1);

namespace Gantry;

/** No response: the network failed, or the time ran out, after all retries. */
final class ConnectionFailed extends GantryError
{
}
