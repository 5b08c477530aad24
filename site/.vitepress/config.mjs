// The pages of docs/ as a site. `make site` builds it; BASE is where the forge serves it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const docs = join(root, 'docs')
const forge = 'https://github.com/umpire-dev/umpire'

// The lists of docs/README.md are the menu.
function menu() {
  const groups = []
  for (const line of readFileSync(join(docs, 'README.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) groups.push({ text: line.slice(3), collapsed: false, items: [] })
    if (!line.startsWith('- ') || !groups.length) continue
    for (const [, text, page] of line.matchAll(/\[([^\]]+)\]\(([a-z-]+)\.md[^)]*\)/g)) {
      if (!groups.some((g) => g.items.some((i) => i.link === `/${page}`))) groups.at(-1).items.push({ text, link: `/${page}` })
    }
  }
  return groups.filter((g) => g.items.length)
}

// Links to what is not a page lead to the file in the repository. A link to nothing ends the build.
function outward(md) {
  md.core.ruler.push('outward', (state) => {
    const page = state.env.relativePath === 'index.md' ? 'README.md' : state.env.relativePath
    for (const token of state.tokens.flatMap((t) => t.children ?? [])) {
      const name = { link_open: 'href', image: 'src' }[token.type]
      const href = name && token.attrGet(name)
      if (!href || name === 'src' || /^([a-z]+:|#|\/)/.test(href)) continue
      const [path, anchor = ''] = href.split(/(?=#)/)
      const file = join(docs, dirname(page), path)
      if (!existsSync(file)) throw new Error(`docs/${page}: ${href} leads to nothing`)
      const inside = relative(docs, file)
      if (inside.startsWith('..') || !inside.endsWith('.md')) {
        token.attrSet(name, `${forge}/blob/main/${posix.normalize(relative(root, file))}${anchor}`)
      }
    }
  })
}

export default defineConfig({
  title: 'umpire',
  description: 'Decides on the tool calls of AI coding agents',
  base: process.env.BASE ?? '/',
  srcDir: docs,
  outDir: process.env.OUT,
  cacheDir: join(root, 'bin/site-cache'),
  vite: { resolve: { alias: [{ find: /^vue(\/server-renderer)?$/, replacement: join(root, 'site/node_modules/vue$1') }] } }, // docs/ has no modules beside it
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  lastUpdated: false,
  markdown: { config: (md) => md.use(outward) },
  themeConfig: {
    search: { provider: 'local' }, // an index that the browser loads
    sidebar: menu(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: forge }],
    nav: [{ text: process.env.VERSION ?? 'next', items: [{ text: 'All versions', link: `${forge}/releases` }] }],
  },
})
