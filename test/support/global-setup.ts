// Builds dist/ once before the tests that start the real command; a no-op when it is current.
interface BuildScript {
  readonly build: (options: { readonly types: boolean }) => Promise<void>;
}

export async function setup(): Promise<void> {
  const script = (await import(new URL('../../scripts/build.mjs', import.meta.url).href)) as BuildScript;
  await script.build({ types: false });
}
