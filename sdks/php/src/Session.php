<?php

declare(strict_types=1);

namespace Gantry;

use Closure;

/** The tokens of a signed-in user; they are renewed when they expire or are refused. */
final class Session
{
    private const RENEW_AHEAD = 30.0;

    private ?Tokens $tokens = null;

    /** @param ?Closure(?Tokens): void $onChange Receives new tokens, so that a program can store them. */
    public function __construct(
        private readonly string $baseUrl,
        private readonly Transport $transport,
        public ?Closure $onChange = null,
    ) {
    }

    public function tokens(): ?Tokens
    {
        return $this->tokens;
    }

    /**
     * Uses the session of a sign-in, or that of a switch to another license, which keeps the refresh token.
     *
     * @param Tokens|array<string, mixed> $session
     */
    public function start(#[\SensitiveParameter] Tokens|array $session): void
    {
        if ($session instanceof Tokens) {
            $this->store($session);
            return;
        }
        $refreshToken = $session['refresh_token'] ?? $this->tokens?->refreshToken
            ?? throw new \InvalidArgumentException('a switch to another license continues a session; there is none');
        $this->store(new Tokens($session['access_token'], $refreshToken, microtime(true) + $session['expires_in']));
    }

    public function end(): void
    {
        $this->store(null);
    }

    public function accessToken(): ?string
    {
        $tokens = $this->tokens;
        if ($tokens !== null && $tokens->expiresAt - microtime(true) < self::RENEW_AHEAD) {
            return $this->renew($tokens->accessToken);
        }
        return $tokens?->accessToken;
    }

    /** Returns a newer token than the refused one, or null when the session has ended. */
    public function renew(#[\SensitiveParameter] string $refused): ?string
    {
        if ($this->tokens === null || $this->tokens->accessToken !== $refused) {
            return $this->tokens?->accessToken;
        }
        $body = json_encode(['refresh_token' => $this->tokens->refreshToken], JSON_THROW_ON_ERROR);
        $headers = ['Content-Type' => 'application/json', 'Accept' => 'application/json'];
        // A refresh token works once, so the request is not repeated.
        $response = $this->transport->sendOnce(new Request('POST', "$this->baseUrl/auth/refresh", $headers, $body));
        if ($response->status === 401) {
            $this->store(null);
            return null;
        }
        if ($response->status >= 300) {
            throw $response->error();
        }
        $this->start(json_decode($response->body, true, 512, JSON_THROW_ON_ERROR));
        return $this->tokens?->accessToken;
    }

    private function store(?Tokens $tokens): void
    {
        $this->tokens = $tokens;
        if ($this->onChange !== null) {
            ($this->onChange)($tokens);
        }
    }
}
