import { describe, expect, it } from 'vitest';
import { redactSecrets } from './redact.ts';

describe('redactSecrets', () => {
  it.each([
    ['Authorization: Bearer abcdef123456', 'Authorization: [secret] [secret]'],
    ['curl -H "x" https://user:hunter2@host/', 'curl -H "x" https://user:[secret]@host/'],
    ['password=hunter2 next', 'password=[secret] next'],
    ['password: letmein', 'password: [secret]'],
    ['token=letmein', 'token=[secret]'],
    ['token: 9f8e7d6c5b4a', 'token: [secret]'],
    ['"api_key": "0123456789"', '"api_key": "[secret]"'],
    ['ghp_abcdefghijklmnopqrstu', '[secret]'],
    ['bearer dXNlcjpwYXNzd29yZA==', 'bearer [secret]'],
    ['Basic dXNlcjpwYXNz', 'Basic [secret]'],
  ])('removes what stands where a secret stands: %s', (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  // Made up, in the shapes that each issuer gives its keys.
  it.each([
    'sk-ant-api03-R2D2c3poAAbbCC11_x-yZ9876543210abcdefghijklmnopqrstuvwxyz',
    'sk-proj-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0',
    'sk-abcdefghijklmnopqrstuvwxyzabcdef',
    'sk-or-v1-0123456789abcdef0123456789abcdef',
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'rk_test_4eC39HqLyjWDarjtT1zdp7dc',
    'gho_16C7e42F292c6912E7710c838347Ae178B4a',
    'github_pat_11ABCDEFG0123456789_abcdefghijklmnop',
    'glpat-abcDEF123456789_-xyz',
    'xoxb-123456789012-abcdefghijkl',
    'hf_abcdefghijklmnopqrstuvwxyzABCDEF',
    'npm_abcdefghijklmnopqrstuvwxyz0123456789',
    'AKIAIOSFODNN7EXAMPLE',
    'AIzaSyA-1234567890abcdefghijklmnopqrstuv',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
  ])('removes the key %s', (key) => {
    expect(redactSecrets(`no: ${key}, given`)).toBe('no: [secret], given');
    expect(redactSecrets(`--key=${key}`)).toBe('--key=[secret]');
    expect(redactSecrets(`"${key}"`)).toBe('"[secret]"');
  });

  it.each([
    'codex exec --skip-git-repo-check',
    'skill-development',
    'npm-run-all-parallel',
    'npm_config_user_agent and npm_lifecycle_script',
    'npm_package_devDependencies',
    'sklearn.preprocessing, skopt_utilities, sk-learn-contribution-guidelines',
    'pkg-config-wrapper pkill_everything pk-fields-of-the-table',
    'rk-3588-board-support-package',
    'hf-transformers-examples hfcompatibility',
    'asianCuisineRecipes ASIAN-PACIFIC-REGION AKIA',
    'basic authentication is required',
    'Basic knowledge/understanding of Kubernetes-deployments.',
    'the bearer certificate of python3-packages',
    'SyntaxError: unexpected token: identifier',
    'Unexpected token: function2',
    'unexpected token: {name(values[0])}',
    'nothing to see: 12345',
    'xoxo-with-love-from',
  ])('leaves ordinary words: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});
