import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Files that are longer than 300 lines because they hold one idea. */
const longFiles = [
  'agent/src/wipes/wipe.ts', // one state machine, read from top to bottom
  'src/config/index.ts', // reads every setting
  'src/services/webhooks/index.ts', // every rule of one small area
];

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      'generated/',
      '.gantry/',
      'coverage/',
      'local-manager/web/dist*/',
      'panel/dist*/',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.js', '*.config.js'] } } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'no-console': 'error',
      // Refusing control characters takes naming them.
      'no-control-regex': 'off',
      eqeqeq: 'error',
    },
  },
  // A warning: a file is as long as its idea. Those that stay long join the list with their reason.
  {
    files: [
      '{shared,src,agent/src,cli/src,client/src,local-manager/src,local-manager/web,panel,ui}/**/*.{ts,tsx}',
    ],
    ignores: ['**/migrations/**', ...longFiles],
    rules: { 'max-lines': ['warn', 300] },
  },
  {
    // Redirects are thrown, as the router wants it.
    files: ['panel/src/**'],
    rules: {
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
    },
  },
  { files: ['scripts/**', 'bench/**', 'agent/simulator/**'], rules: { 'no-console': 'off' } },
  {
    // Bodies of answers are looked at field by field there.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        Buffer: 'readonly',
        require: 'readonly',
        module: 'readonly',
      },
    },
  },
);
