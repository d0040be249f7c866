<?php

declare(strict_types=1);

namespace Gantry;

/** The cursor is too old, or from before a restore: read the lists again, and start from their cursor. */
final class EventCursorExpired extends GantryError
{
}
