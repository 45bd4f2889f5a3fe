const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? one);

/**
 * A plain text as simple HTML: paragraphs, line breaks and links, everything else escaped. Only a line that is an address
 * becomes a link: one within a sentence may be somebody's name.
 */
export function htmlOf(text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const parts = paragraph.split(/^(https?:\/\/\S+)$/m);
      const inner = parts.map((part, index) =>
        index % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part),
      );
      return `<p>${inner.join('').replaceAll('\n', '<br>')}</p>`;
    });
  return `<!doctype html><html lang="en"><body>${paragraphs.join('')}</body></html>`;
}
