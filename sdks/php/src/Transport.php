<?php

declare(strict_types=1);

namespace Gantry;

/** Sends requests, and repeats those that cannot take effect twice. */
final class Transport
{
    public const PASSING = [429, 502, 503, 504];
    private const REPEATABLE = ['GET', 'HEAD', 'PUT', 'DELETE'];

    public function __construct(private readonly float $timeout, private readonly Retries $retries)
    {
    }

    /** @throws ConnectionFailed */
    public function send(Request $request): Response
    {
        $wait = $this->retries->firstWait;
        $wasLost = false;
        for ($left = $this->retries->attempts; ; $left--) {
            try {
                $response = $this->sendOnce($request);
            } catch (ConnectionFailed $error) {
                if ($left === 0 || !self::isRepeatable($request)) {
                    throw $error;
                }
                $wasLost = true;
                self::pause($wait + self::jitter($wait));
                $wait *= 2;
                continue;
            }
            if ($wasLost && $request->method === 'DELETE' && $response->status === 404) {
                // The deletion was done, and its response was lost.
                return new Response(204, $response->headers, '');
            }
            $asked = self::retryAfter($response);
            $isLast = $left === 0 || $asked > $this->retries->maxWait;
            if ($isLast || !self::isPassing($response) || !self::isRepeatable($request)) {
                return $response;
            }
            self::pause(max($asked, $wait + self::jitter($wait)));
            $wait *= 2;
        }
    }

    /** @throws ConnectionFailed */
    public function sendOnce(Request $request): Response
    {
        $headers = [];
        $handle = curl_init();
        curl_setopt_array($handle, $request->curlOptions() + [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeout * 1000),
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$headers): int {
                Response::addHeader($headers, $line);
                return strlen($line);
            },
        ]);
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw new ConnectionFailed(curl_error($handle));
        }
        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    /** Seconds; the header holds a number or a date. */
    public static function retryAfter(Response $response): float
    {
        $value = $response->headers['retry-after'] ?? '';
        if (ctype_digit($value)) {
            return (float) $value;
        }
        $time = $value === '' ? false : strtotime($value);
        return $time === false ? 0.0 : (float) max(0, $time - time());
    }

    public static function pause(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    public static function jitter(float $wait): float
    {
        return $wait * random_int(0, 1000) / 1000;
    }

    /** A version condition holds only the first time. */
    private static function isRepeatable(Request $request): bool
    {
        return isset($request->headers['Idempotency-Key'])
            || (in_array($request->method, self::REPEATABLE, true) && !isset($request->headers['If-Match']));
    }

    private static function isPassing(Response $response): bool
    {
        if (in_array($response->status, self::PASSING, true)) {
            return true;
        }
        // The previous attempt, whose response was lost, is still running.
        $error = $response->status === 409 ? $response->error() : null;
        return $error instanceof ProblemError && $error->problemCode === 'idempotency_in_flight';
    }
}
