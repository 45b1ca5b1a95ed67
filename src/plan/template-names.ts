// The filters and tests that templates have.
const filters: ReadonlySet<string> = new Set([
  'xml_escape', 'truncate', 'slugify', 'tojson', 'default', 'd', 'length', 'count', 'slice', 'date', 'join', 'first', 'last', 'lower', 'upper', 'trim', 'replace', 'int', 'float', 'contains_cjk', 'extract_path',
  'abs', 'attr', 'batch', 'capitalize', 'center', 'dictsort', 'e', 'escape', 'filesizeformat', 'forceescape', 'format', 'groupby', 'indent', 'items', 'list', 'map', 'max', 'min', 'pprint', 'reject', 'rejectattr',
  'reverse', 'round', 'safe', 'select', 'selectattr', 'sort', 'string', 'striptags', 'sum', 'title', 'unique', 'urlencode', 'wordcount', 'wordwrap', 'xmlattr',
]);

export function isKnownFilter(name: string): boolean {
  return filters.has(name);
}

export function isKnownTest(name: string): boolean {
  return name !== '';
}

export function knownFilters(): Iterable<string> {
  return filters;
}
