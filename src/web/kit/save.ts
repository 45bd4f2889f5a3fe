/** Hands a text to the browser as a file to save. @param type its media type */
export function saveText(name: string, text: string, type = 'application/yaml'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  saveFrom(url, name);
  URL.revokeObjectURL(url);
}

/** Has the browser save what is at an address. @param name of the file; the server's own without it */
export function saveFrom(href: string, name = ''): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
