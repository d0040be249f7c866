<?php

declare(strict_types=1);

namespace Gantry;

/** The tokens of a session; store them to continue it in another process. */
final class Tokens
{
    public function __construct(
        #[\SensitiveParameter] public readonly string $accessToken,
        #[\SensitiveParameter] public readonly string $refreshToken,
        /** Seconds since 1970. */
        public readonly float $expiresAt,
    ) {
    }
}
