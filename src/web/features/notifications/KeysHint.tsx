import { useKeyText } from '../../keyboard/Keys.tsx';

/** By which key an object is followed; nothing where the person took the key away. */
export function KeysHint() {
  const keys = useKeyText('object.follow');
  return keys === undefined ? null : (
    <>
      <kbd>{keys}</kbd> follows the object on screen or under the cursor.
    </>
  );
}
