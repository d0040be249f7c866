<?php

declare(strict_types=1);

namespace Gantry;

use Generator;

/** One connection of an event stream; it ends without an error when it is lost. */
final class StreamConnection
{
    private const MAX_IDLE_SECONDS = 1.0;

    private string $buffer = '';
    /** @var array<string, string> */
    private array $headers = [];
    private int $status = 0;

    public function __construct(private readonly Request $request, private readonly int $silence)
    {
    }

    /**
     * Yields messages; those without data, too, because they may carry an ID.
     *
     * @return Generator<int, array{event: string, data: string, id: ?string, retry: ?float}>
     */
    public function messages(): Generator
    {
        $handle = curl_init();
        curl_setopt_array($handle, $this->request->curlOptions() + [
            CURLOPT_CONNECTTIMEOUT => $this->silence,
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => $this->silence,
            CURLOPT_HEADERFUNCTION => function ($_, string $line): int {
                Response::addHeader($this->headers, $line);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($_, string $chunk): int {
                $this->buffer .= $chunk;
                return strlen($chunk);
            },
        ]);
        $loop = curl_multi_init();
        curl_multi_add_handle($loop, $handle);
        try {
            do {
                curl_multi_exec($loop, $running);
                $this->status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
                if ($this->status === 200) {
                    yield from $this->parsed();
                }
                if ($running > 0) {
                    curl_multi_select($loop, self::MAX_IDLE_SECONDS);
                }
            } while ($running > 0);
        } finally {
            curl_multi_remove_handle($loop, $handle);
            curl_multi_close($loop);
        }
    }

    /** The response, unless the stream was opened or no response arrived. */
    public function refusal(): ?Response
    {
        return in_array($this->status, [0, 200], true) ? null : new Response($this->status, $this->headers, $this->buffer);
    }

    /** @return Generator<int, array{event: string, data: string, id: ?string, retry: ?float}> */
    private function parsed(): Generator
    {
        while (preg_match('/\A(.*?)(?:\r\n\r\n|\n\n|\r\r)/s', $this->buffer, $found) === 1) {
            $this->buffer = substr($this->buffer, strlen($found[0]));
            yield self::message(preg_split('/\r\n|\n|\r/', $found[1]) ?: []);
        }
    }

    /**
     * @param list<string> $lines
     * @return array{event: string, data: string, id: ?string, retry: ?float}
     */
    private static function message(array $lines): array
    {
        $message = ['event' => 'message', 'data' => '', 'id' => null, 'retry' => null];
        $data = [];
        foreach ($lines as $line) {
            [$field, $value] = explode(':', $line, 2) + [1 => ''];
            $value = str_starts_with($value, ' ') ? substr($value, 1) : $value;
            match (true) {
                $field === 'event' => $message['event'] = $value,
                $field === 'data' => $data[] = $value,
                $field === 'id' && $value !== '' && !str_contains($value, "\0") => $message['id'] = $value,
                $field === 'retry' && ctype_digit($value) => $message['retry'] = (int) $value / 1000,
                default => null,
            };
        }
        $message['data'] = implode("\n", $data);
        return $message;
    }
}
