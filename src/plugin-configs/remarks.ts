// Collects remarks about places in files: a bounded list, and the total count.
export const maxRemarks = 100;

export class RemarkList<T> {
  readonly listed: T[] = [];
  #count = 0;

  /** The total count, including those beyond the list. */
  get count(): number {
    return this.#count;
  }

  add(remark: T): void {
    this.#count += 1;
    if (this.listed.length < maxRemarks) this.listed.push(remark);
  }

  addAll<Other>(others: RemarkList<Other>, mapped: (remark: Other) => T): void {
    for (const other of others.listed) this.add(mapped(other));
    this.#count += others.count - others.listed.length;
  }
}
