<?php

declare(strict_types=1);

namespace Gantry;

/** One response; the names of headers are in lower case. */
final class Response
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    public function isJson(): bool
    {
        return preg_match('~[/+]json\s*(;|$)~', $this->headers['content-type'] ?? '') === 1;
    }

    public function error(): HttpError
    {
        $isProblem = str_starts_with($this->headers['content-type'] ?? '', 'application/problem+json');
        $problem = $isProblem ? json_decode($this->body, true) : null;
        return is_array($problem) ? new ProblemError($problem, $this) : new HttpError((string) $this->status, $this);
    }

    /** @param array<string, string> $headers */
    public static function addHeader(array &$headers, string $line): void
    {
        if (str_starts_with($line, 'HTTP/')) {
            $headers = [];
        }
        $parts = explode(':', $line, 2);
        if (count($parts) === 2) {
            $headers[strtolower(trim($parts[0]))] = trim($parts[1]);
        }
    }
}
