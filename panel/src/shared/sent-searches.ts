// The searches that a field has sent to the address: they arrive later, when more may have been typed.
export class SentSearches {
  #sent: readonly string[] = [];

  /** The last one that has not arrived. */
  get latest(): string | undefined {
    return this.#sent.at(-1);
  }

  send(search: string): void {
    this.#sent = [...this.#sent, search];
  }

  /** Whether the search that arrives was sent by the field; an address may skip those that were sent before it. */
  arrive(search: string): boolean {
    const at = this.#sent.indexOf(search);
    this.#sent = at === -1 ? [] : this.#sent.slice(at + 1);
    return at !== -1;
  }
}
