/** Keys of a comparison: between differences once something is compared. @param other what it is compared with */
export const compareHints = (other: string | undefined) => [
  ...(other === undefined ? [] : [{ id: 'diff.next', text: 'next difference' }]),
  { id: 'diff.status', text: 'status' },
];
