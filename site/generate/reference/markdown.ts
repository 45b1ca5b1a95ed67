// Pieces of pages that are made from tables.

export function pageOf(...blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function fence(text: string, language = ''): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

export function code(text: string): string {
  return `\`${text}\``;
}
