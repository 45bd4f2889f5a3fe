/**
 * The client id for Google's sign-in script; undefined in every document but that of the sign-in page, opened by somebody
 * who is signed out where Google is configured. No session may come to live in a document that has one: who signs in
 * goes on in a new document.
 */
export function googleClientId(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="wheelhouse-google"]')?.content;
}
