/** A fault outside of the program, with the name of its class. Log entries have no stack of it. */
export class NamedError extends Error {
  override readonly name: string = this.constructor.name;
}
