<?php

declare(strict_types=1);

namespace Gantry;

/** Checks that a webhook came from the platform. */
final class Webhooks
{
    private const TOLERANCE = 300;

    /**
     * Returns the event. The body is the raw body, as it arrived.
     *
     * @param array<string, string> $headers
     * @return array<string, mixed>
     * @throws InvalidSignature
     */
    public static function verify(
        array $headers,
        string $body,
        #[\SensitiveParameter] string $secret,
        ?int $now = null,
        int $tolerance = self::TOLERANCE,
    ): array {
        if (in_array(rtrim($secret, '='), ['', 'whsec_'], true)) {
            throw new InvalidSignature('the secret is empty');
        }
        $given = array_change_key_case($headers);
        $isAuthentic = isset($given['webhook-signature'])
            ? self::isStandard($given, $body, $secret)
            : self::isService($given, $body, $secret);
        // The time that the signature covers; the other header could hold any.
        $sent = $given[isset($given['webhook-signature']) ? 'webhook-timestamp' : 'x-service-timestamp'] ?? '';
        if (!ctype_digit($sent)) {
            throw new InvalidSignature('the timestamp is missing');
        }
        if (abs(($now ?? time()) - (int) $sent) > $tolerance) {
            throw new InvalidSignature('the timestamp is too old or in the future');
        }
        if (!$isAuthentic) {
            throw new InvalidSignature('the signature does not fit');
        }
        return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    }

    /**
     * Standard Webhooks: `webhook-signature: v1,BASE64 v1,BASE64`.
     *
     * @param array<string, string> $headers
     */
    private static function isStandard(array $headers, string $body, string $secret): bool
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret;
        $key = base64_decode(strtr($text, '-_', '+/'), true);
        if ($key === false) {
            return false;
        }
        $signed = ($headers['webhook-id'] ?? '') . '.' . ($headers['webhook-timestamp'] ?? '') . ".$body";
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        return self::contains(explode(' ', $headers['webhook-signature']), $expected);
    }

    /**
     * The platform's own header: `X-Service-Signature: v1=HEX,v1=HEX`.
     *
     * @param array<string, string> $headers
     */
    private static function isService(array $headers, string $body, string $secret): bool
    {
        $signed = ($headers['x-service-delivery'] ?? '') . '.' . ($headers['x-service-timestamp'] ?? '') . ".$body";
        $expected = 'v1=' . hash_hmac('sha256', $signed, $secret);
        return self::contains(array_map(trim(...), explode(',', $headers['x-service-signature'] ?? '')), $expected);
    }

    /** @param list<string> $given */
    private static function contains(array $given, string $expected): bool
    {
        $isFound = false;
        foreach ($given as $each) {
            $isFound = hash_equals($expected, $each) || $isFound;
        }
        return $isFound;
    }
}
