const speed = 'a faster way is not taken'
const zero = 'nothing is multiplied by 1 or 0 is added'
/** Mutants that nobody can tell from the code: file, line, what replaces a part of it, and why. */
export const equivalent = [
  [
    'src/client/filter-check.ts',
    "const right = new Set([...asked, ...(key === 'machineIdentifiers' ? machineIds : [])])",
    '["Stryker was here"]',
    'no record holds that text',
  ],
  [
    'src/client/record-form.ts',
    `const numbers = [...forms.texts].map((name) => \`"\${name}"\\\\s*:\\\\s*-?\\\\d\`)`,
    '() => undefined',
    speed,
  ],
  [
    'src/reports/summary/count-lines.ts',
    'for (let place = 0; place < this.#amountPlaces.length; place++) {',
    'place <= this.#amountPlaces.length',
    'no amount has that place',
  ],
  [
    'src/reports/summary/count-lines.ts',
    'if (end - start > this.#batchBytes.length) this.#batchBytes = Buffer.alloc((end - start) * 2)',
    'end + start',
    'the buffer is only made anew more often',
  ],
  [
    'src/reports/summary/summary-lines.ts',
    'isLeft = isChecked && (!hasRecord(offsets) || (offsets[list] as number) >= 0) // a list that is not spread over lines',
    'true',
    speed,
  ],
  ['src/values/decimal-sum.ts', 'if (scale > this.#places) {', 'scale >= this.#places', zero],
  [
    'src/values/decimal-sum.ts',
    'this.#large += scale === this.#places ? units : units * 10n ** BigInt(this.#places - scale)',
    'false',
    zero,
  ],
  [
    'src/values/decimal-sum.ts',
    'const digits = end - first - (pointAt === 0 ? 0 : 1)',
    'end - first + (pointAt === 0 ? 0 : 1)',
    speed,
  ],
  ['src/values/decimal-sum.ts', 'return true', 'false', speed],
  [
    'src/values/decimal-sum.ts',
    "const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')",
    'units <= 0n',
    zero,
  ],
  ['src/values/decimal.ts', 'return text.length <= 15 && shortPattern.test(text)', 'text.length < 15', speed],
  [
    'src/values/decimal.ts',
    'if (isShort(one) && isShort(other)) return Number(one) - Number(other) || 0 // and never -0',
    'false',
    speed,
  ],
  [
    'src/values/zones.ts',
    "const offset = first === measureOffset(zone, (start + 1) * day) ? first : 'changes'",
    'false',
    speed,
  ],
  [
    'src/values/zones.ts',
    'if (zone.offsets.size >= largestCache) zone.offsets.clear()',
    ';',
    'the cache is only larger',
  ],
  ['src/values/decimal.ts', 'const shortPattern = /^-?\\d+(?:\\.\\d+)?$/', '/^-?\\d+(?:\\.\\D+)?$/', speed],
  [
    'src/values/counted.ts',
    "const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(String(count)) ?? []",
    '/(-?)(.*)$/',
    'it matches at the start',
  ],
]
