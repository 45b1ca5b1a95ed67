// Markdown after a frontmatter of YAML.
import { yamlFrontmatter } from '@codemirror/lang-yaml';
import { Language, LanguageSupport, defineLanguageFacet, languageDataProp } from '@codemirror/language';
import { GFM, parser } from '@lezer/markdown';

const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } });
const markdown = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add((type) => (type.isTop ? data : undefined))] }]),
  [],
  'markdown',
);

export function markdownWithFrontmatter(): LanguageSupport {
  return yamlFrontmatter({ content: new LanguageSupport(markdown) });
}
