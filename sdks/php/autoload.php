<?php

declare(strict_types=1);

// For programs without Composer.
spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'Gantry\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 7)) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
