<?php

declare(strict_types=1);

namespace Gantry;

use Closure;
use Generator;

/** Server-Sent Events that continue where they were cut. */
final class EventStream
{
    /** The platform writes at least every 15 seconds. */
    private const SILENCE = 45;
    private const MAX_WAIT = 30.0;

    private ?string $cursor = null;
    private float $wait = 1.0;

    /**
     * @param Closure(): array<string, string> $credentials
     * @param Closure(): bool $renew
     */
    public function __construct(
        private readonly string $url,
        private readonly Closure $credentials,
        private readonly Closure $renew,
    ) {
    }

    /** @return Generator<int, Event> */
    public function follow(?string $cursor): Generator
    {
        $this->cursor = $cursor;
        while (true) {
            $headers = ['Accept' => 'text/event-stream'] + ($this->credentials)();
            if ($this->cursor !== null) {
                $headers['Last-Event-ID'] = $this->cursor;
            }
            $connection = new StreamConnection(new Request('GET', $this->url, $headers), self::SILENCE);
            $hasWorked = false;
            foreach ($connection->messages() as $message) {
                $hasWorked = true;
                $this->wait = $message['retry'] ?? $this->wait;
                $this->cursor = $message['id'] ?? $this->cursor;
                if ($message['event'] === 'reconnect') {
                    break;
                }
                if ($message['data'] !== '' && $message['event'] !== 'ready') {
                    $data = json_decode($message['data'], true, 512, JSON_THROW_ON_ERROR);
                    yield new Event($message['event'], (string) ($data['id'] ?? ''), $this->cursor ?? '', $data);
                }
            }
            $this->judge($connection->refusal());
            if ($hasWorked) {
                // A stream that worked is resumed at once.
                $this->wait = min($this->wait, 2.0);
            }
            Transport::pause($this->wait / 2 + Transport::jitter($this->wait / 2));
            $this->wait = min($this->wait * 2, self::MAX_WAIT);
        }
    }

    /** Throws unless another attempt can help. */
    private function judge(?Response $refusal): void
    {
        if ($refusal === null) {
            return;
        }
        if ($refusal->status === 410) {
            throw new EventCursorExpired($refusal->error()->getMessage());
        }
        $isRenewed = $refusal->status === 401 && ($this->renew)();
        if (!$isRenewed && !in_array($refusal->status, Transport::PASSING, true)) {
            throw $refusal->error();
        }
        $this->wait = max($this->wait, Transport::retryAfter($refusal));
    }
}
