<?php

declare(strict_types=1);

namespace Gantry;

/** The platform refused the request. Decide on `problemCode`; `detail` is for people. */
final class ProblemError extends HttpError
{
    public readonly string $problemCode;
    public readonly string $detail;
    public readonly string $requestId;
    /** @var list<array<string, string>> The fields that are wrong, as `pointer` and `detail`. */
    public readonly array $errors;

    /** @param array<string, mixed> $problem */
    public function __construct(public readonly array $problem, Response $response)
    {
        $this->problemCode = (string) ($problem['code'] ?? '');
        $this->detail = (string) ($problem['detail'] ?? '');
        $this->requestId = (string) ($problem['request_id'] ?? '');
        $this->errors = $problem['errors'] ?? [];
        parent::__construct("$this->problemCode: $this->detail", $response);
    }
}
