const DAY_MS = 86_400_000;

/** A point in time as people write it, to the minute: `2026-01-15 14:30`. */
export function getUtcMinute(atMs: number): string {
  const days = Math.floor(atMs / DAY_MS);
  const minutes = Math.floor((atMs - days * DAY_MS) / 60_000);
  return `${getDay(days)} ${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Counted from March, so that the day that leap years have comes last; 400 years are one cycle. */
function getDay(daysSince1970: number): string {
  const days = daysSince1970 + 719_468;
  const cycle = Math.floor(days / 146_097);
  const inCycle = days - cycle * 146_097;
  const years = Math.floor(
    (inCycle - Math.floor(inCycle / 1_460) + Math.floor(inCycle / 36_524) - Math.floor(inCycle / 146_096)) /
      365,
  );
  const inYear = inCycle - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return `${cycle * 400 + years + (month <= 2 ? 1 : 0)}-${pad(month)}-${pad(day)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
