/** A request was declined for a reason that is no failure; the person reads the message and nothing is logged. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
