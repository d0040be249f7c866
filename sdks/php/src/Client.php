<?php

declare(strict_types=1);

namespace Gantry;

use Generator;
use InvalidArgumentException;

/** Calls the operations of the platform, with the key of a license or of a hosting company, or as a signed-in user. */
final class Client
{
    use Generated\Operations;

    public const VERSION = '0.1.0';

    public readonly Session $session;
    private readonly string $baseUrl;
    private readonly Transport $transport;

    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly ?string $apiKey = null,
        /** The license key with which the plugin of a game server reports events. */
        #[\SensitiveParameter] private readonly ?string $licenseKey = null,
        float $timeout = 60.0,
        Retries $retries = new Retries(),
    ) {
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->transport = new Transport($timeout, $retries);
        $this->session = new Session($this->baseUrl, $this->transport);
    }

    /**
     * Yields every entry of a list: `$client->each($client->listHosts(...))`. Pages are fetched when they are needed.
     *
     * @param callable(mixed ...): array<string, mixed> $list
     */
    public function each(callable $list, mixed ...$given): Generator
    {
        $given += ['limit' => 100];
        do {
            $page = $list(...$given);
            foreach ($page['data'] as $entry) {
                yield $entry;
            }
            $given['cursor'] = $page['next_cursor'];
        } while ($given['cursor'] !== null);
    }

    /**
     * Yields events as they happen, from the cursor on; reconnects by itself, and misses none.
     *
     * @param array<string, mixed> $filters
     * @return Generator<int, Event>
     */
    public function events(?string $cursor = null, array $filters = []): Generator
    {
        $renew = function (): bool {
            $token = $this->session->tokens()?->accessToken;
            return $token !== null && !in_array($this->session->renew($token), [null, $token], true);
        };
        $url = $this->baseUrl . '/api/events/stream' . self::query($filters);
        $stream = new EventStream($url, fn (): array => $this->credentials(), $renew);
        yield from $stream->follow($cursor);
    }

    /**
     * @param array<string, mixed> $path
     * @param array<string, mixed> $query
     * @param array<string, mixed> $headers
     */
    private function call(
        string $method,
        string $template,
        array $path = [],
        array $query = [],
        array $headers = [],
        mixed $body = null,
        string $contentType = 'application/json',
        bool $isPublic = false,
        bool $isIdempotent = false,
    ): mixed {
        $sent = array_map(strval(...), array_filter($headers, fn (mixed $value): bool => $value !== null));
        $sent['Accept'] = 'application/json, */*;q=0.1';
        $sent['User-Agent'] = 'gantry-php/' . self::VERSION . ' (' . self::CONTRACT_VERSION . ')';
        if ($isIdempotent) {
            // One key for all attempts of this call.
            $sent['Idempotency-Key'] ??= bin2hex(random_bytes(16));
        }
        $content = null;
        if ($body !== null) {
            [$content, $sent['Content-Type']] = self::encoded($body, $contentType);
        }
        $url = $this->baseUrl . self::filled($template, $path) . self::query($query);
        $response = $this->authorized(new Request($method, $url, $sent, $content), $isPublic);
        if ($response->status >= 300) {
            throw $response->error();
        }
        if ($response->body === '') {
            return null;
        }
        return $response->isJson() ? json_decode($response->body, true, 512, JSON_THROW_ON_ERROR) : $response->body;
    }

    private function authorized(Request $request, bool $isPublic): Response
    {
        if ($isPublic) {
            return $this->transport->send($request);
        }
        $response = $this->transport->send($request->with($this->credentials()));
        $refused = $this->session->tokens()?->accessToken;
        if ($this->apiKey !== null || $response->status !== 401 || $refused === null) {
            return $response;
        }
        $renewed = $this->session->renew($refused);
        return in_array($renewed, [null, $refused], true)
            ? $response
            : $this->transport->send($request->with($this->credentials()));
    }

    /** @return array<string, string> */
    private function credentials(): array
    {
        $token = $this->apiKey ?? $this->session->accessToken();
        return ($this->licenseKey === null ? [] : ['X-License-Key' => $this->licenseKey])
            + ($token === null ? [] : ['Authorization' => "Bearer $token"]);
    }

    /** @param array<string, mixed> $values */
    private static function filled(string $template, array $values): string
    {
        foreach ($values as $name => $value) {
            if (in_array((string) $value, ['', '.', '..'], true)) {
                throw new InvalidArgumentException("$name must not be \"$value\": it would name another path");
            }
            $template = str_replace('{' . $name . '}', rawurlencode((string) $value), $template);
        }
        return $template;
    }

    /** @param array<string, mixed> $values */
    private static function query(array $values): string
    {
        $pairs = [];
        foreach ($values as $name => $value) {
            $items = array_filter(is_array($value) ? $value : [$value], fn ($item) => $item !== null);
            if ($items !== []) {
                // Lists in queries are separated by commas.
                $text = static fn ($item) => is_bool($item) ? ($item ? 'true' : 'false') : (string) $item;
                $pairs[] = rawurlencode($name) . '=' . rawurlencode(implode(',', array_map($text, $items)));
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    /** @return array{string, string} */
    private static function encoded(mixed $body, string $contentType): array
    {
        if ($contentType === 'multipart/form-data') {
            return self::form($body);
        }
        if (is_string($body) && !str_contains($contentType, 'json')) {
            return [$body, $contentType];
        }
        // Bodies are objects; PHP writes an array without entries as a list.
        $value = $body === [] ? new \stdClass() : $body;
        return [json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), $contentType];
    }

    /**
     * @param array<string, string|File> $fields
     * @return array{string, string}
     */
    private static function form(array $fields): array
    {
        $boundary = bin2hex(random_bytes(16));
        $text = '';
        foreach ($fields as $name => $value) {
            $text .= "--$boundary\r\nContent-Disposition: form-data; name=\"$name\"";
            if ($value instanceof File) {
                $fileName = str_replace(['"', "\r", "\n"], ['%22', '', ''], $value->name);
                $text .= "; filename=\"$fileName\"\r\nContent-Type: application/octet-stream\r\n\r\n$value->content\r\n";
            } else {
                $text .= "\r\n\r\n$value\r\n";
            }
        }
        return ["$text--$boundary--\r\n", "multipart/form-data; boundary=$boundary"];
    }
}
