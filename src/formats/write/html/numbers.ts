import {format} from 'd3-format'
import {thousands} from '../../../values/counted.js'

const hugeNumber = 1e300
const threeDigits = format('.3~s')
const twoDigits = format('.2~s')
const power = format('.1~e')

/** A number for drawing: amounts beyond all use are drawn as the largest number that still has a place. */
export function toSize(text: string): number {
  const size = Number(text)
  return Number.isNaN(size) ? 0 : Math.max(-hugeNumber, Math.min(hugeNumber, size))
}

/** An exact decimal number as people read it: `1,234,567.50`. */
export function grouped(text: string): string {
  const [, sign = '', integer = '', rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? []
  return integer === '' ? text : `${sign}${thousands(integer)}${rest}`
}

/** Three digits of a number at most, such as `12.5k` or `3.2M`: for labels, beside which a table is exact. */
export function short(size: number, digits: 2 | 3 = 3): string {
  const positive = Math.abs(size)
  if (positive < 1e3) return String(Number(size.toPrecision(3)))
  if (positive >= 1e15) return power(size).replace('+', '').replace('−', '-')
  return (digits === 2 ? twoDigits : threeDigits)(size).replace('G', 'B').replace('−', '-')
}

/** A part of something as `2.9 %`, with as many decimals as it takes not to show zero. */
export function percent(part: number, all: number): string {
  if (all === 0 || part === 0) return '0 %'
  const share = (part / all) * 100
  return `${share < 0.1 ? '< 0.1' : share.toFixed(1)} %`
}
