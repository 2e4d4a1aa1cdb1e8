// Checks the HTML pages in a folder with axe-core in Chromium, in light and dark, wide and on a phone: no violation of
// axe, nothing wider than the screen, and no column of an index out of sight on a wide one. The pages with much data are printed on four sheets at most.
// Usage: node pages.cjs CHROMIUM FOLDER, with axe-core and playwright-core in NODE_PATH.
const fs = require('fs')
const os = require('os')
const path = require('path')
const {chromium} = require('playwright-core')

const [executablePath, folder] = process.argv.slice(2)
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync']
const names = fs.readdirSync(folder).filter(name => name.endsWith('.html')).sort()

async function main() {
	const failures = []
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'))
	const browser = await chromium.launchPersistentContext(profile, {executablePath, args, headless: true})
	try {
		const page = await browser.newPage()
		for (const name of names) {
			for (const colorScheme of ['light', 'dark']) {
				for (const width of [1280, 390]) {
					const where = `${name}, ${colorScheme}, ${width} px`
					await page.emulateMedia({colorScheme})
					await page.setViewportSize({width, height: 900})
					await page.goto('file://' + path.join(path.resolve(folder), name))
					await page.evaluate(axe)
					const result = await page.evaluate(() => axe.run())
					for (const violation of result.violations) {
						failures.push(`${where}: ${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(' | ')}`)
					}
					const used = await page.evaluate(() => document.documentElement.scrollWidth)
					if (used > width) {
						failures.push(`${where}: the page is ${used} px wide`)
					}
					const hidden = await page.evaluate(() => [...document.querySelectorAll('.scroll:has(.index)')].some(e => e.scrollWidth > e.clientWidth))
					if (hidden && width === 1280) {
						failures.push(`${where}: columns of the index are out of sight`)
					}
					if (process.env.PICTURES) {
						await page.screenshot({path: path.join(process.env.PICTURES, `${name}-${colorScheme}-${width}.png`), fullPage: true})
					}
				}
			}
			for (const format of ['A4', 'Letter']) {
				const pdf = await page.pdf({format, preferCSSPageSize: false})
				const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length
				if (name.endsWith('much.html') && sheets > 4) {
					failures.push(`${name} has ${sheets} sheets of ${format}, more than 4`)
				}
				if (process.env.PICTURES) {
					fs.writeFileSync(path.join(process.env.PICTURES, `${name}-${format}.pdf`), pdf)
				}
			}
		}
	} finally {
		await browser.close()
		fs.rmSync(profile, {recursive: true, force: true})
	}
	failures.forEach(failure => console.log(failure))
	console.log(`${names.length} pages, ${failures.length} failures`)
	process.exitCode = names.length === 0 || failures.length > 0 ? 1 : 0
}

main().catch(error => {
	console.error(error)
	process.exitCode = 2
})
