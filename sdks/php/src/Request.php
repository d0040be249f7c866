<?php

declare(strict_types=1);

namespace Gantry;

/** One request. */
final class Request
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly ?string $body = null,
    ) {
    }

    /** @param array<string, string> $headers */
    public function with(array $headers): self
    {
        return new self($this->method, $this->url, $headers + $this->headers, $this->body);
    }

    /** @return array<int, mixed> */
    public function curlOptions(): array
    {
        $lines = array_map(fn (string $name, string $value): string => "$name: $value", array_keys($this->headers), $this->headers);
        return [
            CURLOPT_URL => $this->url,
            CURLOPT_CUSTOMREQUEST => $this->method,
            // Without the last one curl waits a second for leave to send a large body.
            CURLOPT_HTTPHEADER => [...$lines, 'Expect:'],
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            // A redirect would carry the key to another server.
            CURLOPT_FOLLOWLOCATION => false,
        ] + ($this->body === null ? [] : [CURLOPT_POSTFIELDS => $this->body]);
    }
}
