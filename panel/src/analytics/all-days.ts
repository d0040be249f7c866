// Fills in the days on which nothing was counted.
const dayMs = 86_400_000;

export function allDays<Day extends { day: string }>(
  from: string,
  to: string,
  counted: readonly Day[],
  emptyOf: (day: string) => Day,
): Day[] {
  const known = new Map(counted.map((each) => [each.day, each]));
  const days: Day[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push(known.get(day) ?? emptyOf(day));
  }
  return days;
}
