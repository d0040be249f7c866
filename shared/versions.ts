// Compares versions by the rules of semantic versioning (semver.org).
const shape = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,40}))?(?:\+[0-9A-Za-z.-]{1,40})?$/;

/** Whether `version` precedes `other`; null if either is not a version. A pre-release precedes its release. */
export function isOlder(version: string, other: string): boolean | null {
  const [one, two] = [shape.exec(version), shape.exec(other)];
  if (one === null || two === null) return null;
  for (const index of [1, 2, 3]) {
    const difference = Number(one[index]) - Number(two[index]);
    if (difference !== 0) return difference < 0;
  }
  return precedes(one[4], two[4]);
}

/** Compares pre-releases such as `rc.2`; undefined stands for the release itself. */
function precedes(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined && other === undefined;
  const [left, right] = [one.split('.'), other.split('.')];
  for (const [index, part] of left.entries()) {
    const counterpart = right[index];
    if (counterpart === undefined) return false;
    if (part === counterpart) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(counterpart)];
    if (isNumber && isOtherNumber) return Number(part) < Number(counterpart);
    return isNumber === isOtherNumber ? part < counterpart : isNumber;
  }
  return left.length < right.length;
}
