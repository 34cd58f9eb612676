// The rules for the report's scripts, which a browser runs as they are, and for the tests that drive the browser.
import js from '@eslint/js';
import globals from 'globals';

const rules = {
  ...js.configs.recommended.rules,
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-unused-vars': 'error',
  'no-shadow': 'error',
  'no-implied-eval': 'error',
};
// Text of a model is never markup; the one exception is said where it stands.
const noMarkup = {
  selector: 'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML)$/]',
  message: 'text of a model is set as text, never as markup',
};

export default [
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['src/report/assets/*.js'],
    languageOptions: { sourceType: 'script', ecmaVersion: 2020, globals: globals.browser },
    rules: { ...rules, 'no-restricted-syntax': ['error', noMarkup] },
  },
  {
    files: ['tests/**/*.mjs'],
    languageOptions: { sourceType: 'module', ecmaVersion: 2022, globals: { ...globals.node, ...globals.browser } },
    rules,
  },
];
