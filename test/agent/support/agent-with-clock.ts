// The agent on a host whose clock is AHEAD_MS milliseconds ahead, and is set two hours ahead by SIGUSR2.
const trueNow = Date.now.bind(Date);
let aheadMs = Number(process.env['AHEAD_MS'] ?? 0);
Date.now = () => trueNow() + aheadMs;
process.on('SIGUSR2', () => (aheadMs += 2 * 3_600_000));

await import('../../../agent/src/main.ts');
