/** The medians of several runs of the same, each figure by itself. */
export function medians(runs) {
  const middle = (name) => runs.map((run) => run[name]).sort((one, other) => one - other)[Math.floor(runs.length / 2)]
  return Object.fromEntries(Object.keys(runs[0]).map((name) => [name, middle(name)]))
}

/** Prints rows under a heading; without `promises` as they are, for inputs too small to promise anything. */
export function createTable(title, {promises = true} = {}) {
  process.stdout.write(`\n${title}\n${line(['', 'CPU s', 'wall s', 'MB', 'ratio', '', promises ? 'at most' : ''])}\n`)
  return {row, peers}

  /**
   * One row: what it cost, and as ratio to `beside.cost`. `most` is the largest ratio that is promised; `cpu`, `seconds`
   * and `megabytes` are the most CPU and wall time and memory. What is over says so.
   */
  function row(name, cost, {beside, unit = 'cpuSeconds', note = '', ...promised} = {}) {
    const ratio = beside ? cost[unit] / beside.cost[unit] : undefined
    const besides = beside ? `of ${beside.name}${unit === 'seconds' ? ', wall' : ''}` : ''
    const cells = [name, digits(cost.cpuSeconds, 2), digits(cost.seconds, 2), digits(cost.megabytes, 0)]
    const limits = promises ? toLimits(cost, ratio, promised) : ''
    const text = line([...cells, ratio === undefined ? '' : `${ratio.toFixed(2)} x`, besides, limits])
    process.stdout.write(`${text}${note === '' ? '' : `  ${note}`}\n`)
  }

  /** What others need for the same, in one line. */
  function peers(costs, beside) {
    const texts = costs.map(([tool, cost]) => `${tool} ${(cost.cpuSeconds / beside.cost.cpuSeconds).toFixed(2)} x`)
    if (texts.length > 0) process.stdout.write(`    ${texts.join(' · ')}\n`)
  }
}

function toLimits(cost, ratio, {most, cpu, seconds, megabytes}) {
  return [
    [ratio, most, `${most} x`],
    [cost.cpuSeconds, cpu, `${cpu} s CPU`],
    [cost.megabytes, megabytes, `${megabytes} MB`],
    [cost.seconds, seconds, `${seconds} s wall`],
  ]
    .filter(([, limit]) => limit !== undefined)
    .map(([found, limit, text]) => (found > limit ? `${text} OVER` : text))
    .join(', ')
}

function digits(value, places) {
  return value === undefined || Number.isNaN(value) ? '-' : value.toFixed(places)
}

function line([name, cpu, wall, megabytes, ratio, beside, most]) {
  return [
    name.padEnd(34),
    cpu.padStart(7),
    wall.padStart(8),
    megabytes.padStart(6),
    ratio.padStart(9),
    ` ${beside}`.padEnd(32),
    most,
  ]
    .join('')
    .trimEnd()
}
