/** Keys that belong to the browser while they are held: with Alt, the arrow keys go back and forward in its history. */
interface ModifiedKey {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Whether a key comes with a modifier other than Shift: then it means nothing to the element that has the focus. */
export const isModified = ({ altKey, ctrlKey, metaKey }: ModifiedKey): boolean =>
  altKey || ctrlKey || metaKey;
