import { manifestLimit } from '../../../kube/manifest.ts';

/** The texts of files as one, a document each. Throws a sentence for what is no text. */
export async function readFiles(files: readonly File[]): Promise<string> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > manifestLimit)
    throw new Error(
      `That is more than ${manifestLimit / 1024 / 1024} MB, the maximum that can be read here.`,
    );
  const texts = await Promise.all(files.map(readFile));
  return texts.map((text) => text.replace(/\n*$/, '\n')).join('---\n');
}

async function readFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first = 0, second = 0] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file.name} is not UTF-8 text.`);
  }
}
