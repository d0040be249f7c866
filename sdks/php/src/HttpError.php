<?php

declare(strict_types=1);

namespace Gantry;

/** A response that is neither a success nor a problem, for example of a proxy. */
class HttpError extends GantryError
{
    public readonly int $status;

    public function __construct(string $message, public readonly Response $response)
    {
        parent::__construct($message, $response->status);
        $this->status = $response->status;
    }
}
