import {mkdtempSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import axe from 'axe-core'
import {type Browser, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {renderCoveragePage} from '../../../src/formats/write/html/coverage-page.js'
import {renderSummaryPage} from '../../../src/formats/write/html/summary-page.js'
import {renderTextPage} from '../../../src/formats/write/html/text-page.js'
import {toPlanPage} from '../../../src/runs/plan/plan-view.js'
import {cases} from './cases.js'
import {coverage} from './coverage.js'
import {findBrowser} from './find-browser.js'
import {plan} from './plan.js'
import {run} from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'vendorctl-pages-'))
const widths = [390, 1280] as const
const schemes = ['light', 'dark'] as const
const pages = {
  ...Object.fromEntries(Object.entries(cases).map(([name, data]) => [name, renderSummaryPage(data)])),
  coverage: renderCoveragePage(coverage),
  plan: renderTextPage(toPlanPage(plan)),
  run: renderTextPage(run),
}

/** Labels of a drawing that touch, of those that are shown. */
const overlaps = `[...document.querySelectorAll('svg')].flatMap((svg) => {
  const labels = [...svg.querySelectorAll('text')].map((text) => ({text: text.textContent, box: text.getBoundingClientRect()}))
  const shown = labels.filter(({box}) => box.width > 0)
  return shown.flatMap((one, place) => shown.slice(place + 1).filter((other) =>
    one.box.left < other.box.right && other.box.left < one.box.right &&
    one.box.top + 2 < other.box.bottom && other.box.top + 2 < one.box.bottom
  ).map((other) => one.text + ' / ' + other.text))
})`
const outside = `[...document.querySelectorAll('svg')].flatMap((svg) => {
  const {left, right} = svg.getBoundingClientRect()
  return [...svg.querySelectorAll('text')].filter((text) => {
    const box = text.getBoundingClientRect()
    return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
  }).map((text) => text.textContent)
})`
/** Tables of texts of which a part is out of sight; numbers scroll. */
const hidden = `[...document.querySelectorAll('.table:has(td:not(.n))')].filter((table) => table.scrollWidth > table.clientWidth + 1)
  .map((table) => table.innerText.slice(0, 60))`

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  process.stdout.write(`Pages, pictures and prints: ${folder}\n`)
})

afterAll(() => browser.close())

/** A page as a person opens it from a folder, and everything that it says or asks for. */
async function open(name: string, text: string, width: number, colorScheme: 'light' | 'dark') {
  const path = join(folder, `${name}.html`)
  writeFileSync(path, text)
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme})
  await context.addInitScript({content: axe.source})
  const page = await context.newPage()
  const heard: string[] = []
  page.on('console', (message) => heard.push(message.text()))
  page.on('pageerror', (error) => heard.push(error.message))
  page.on('request', (request) => heard.push(request.url()))
  const url = pathToFileURL(path).href
  await page.goto(url)
  return {page, heard: () => heard.filter((one) => one !== url), close: () => context.close()}
}

async function findViolations(page: Page): Promise<unknown> {
  return page.evaluate(
    `axe.run().then(({violations}) => violations.flatMap(({id, nodes}) => nodes.map(({target, failureSummary}) => [id, target, failureSummary])))`,
  )
}

describe.each(Object.entries(pages))('%s', (name, text) => {
  test.each(widths.flatMap((width) => schemes.map((scheme) => [width, scheme] as const)))(
    'at %i pixels, %s: silent, accessible, nothing overlaps or sticks out',
    async (width, scheme) => {
      const {page, heard, close} = await open(name, text, width, scheme)
      await page.screenshot({path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true})

      const [violations, touching, cut, scrolled, wide] = [
        await findViolations(page),
        await page.evaluate(overlaps),
        await page.evaluate(outside),
        await page.evaluate(hidden),
        await page.evaluate('document.documentElement.scrollWidth'),
      ]
      await close()

      expect(heard()).toEqual([])
      expect(violations).toEqual([])
      expect(touching).toEqual([])
      expect(cut).toEqual([])
      expect(scrolled).toEqual([])
      expect(wide).toBe(width)
    },
  )

  test('prints in black on white, whatever the screen is', async () => {
    const {page, heard, close} = await open(name, text, 1280, 'dark')
    await page.pdf({path: join(folder, `${name}.pdf`), preferCSSPageSize: true, printBackground: true})
    await page.emulateMedia({media: 'print'})
    const colors = await page.evaluate(
      `['backgroundColor', 'color'].map((name) => getComputedStyle(document.body)[name])`,
    )
    await close()

    expect(colors).toEqual(['rgb(255, 255, 255)', 'rgb(31, 35, 40)'])
    expect(heard()).toEqual([])
  })
})
