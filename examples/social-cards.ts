import { address, definePlugin, page, type Target, text } from 'linnet/plugin'

/**
 * Programs that show a card of a link. People open links in browsers inside of apps, such as Snapchat or WhatsApp, whose
 * user agents name the app, too, so this lists the forms of the programs alone.
 */
const readsCards =
  /facebookexternalhit|Twitterbot|LinkedInBot|Slackbot-LinkExpanding|Discordbot|TelegramBot|WhatsApp\/\d|Cardyb|SkypeUriPreview|Mastodon\/|redditbot|Pinterestbot|Iframely/

export default definePlugin({
  feature: 'custom.socialCards',
  label: 'Social cards',
  group: 'Link',
  about: 'Show a title, a sentence and a picture where a link is shared.',
  fields: {
    cardTitle: text({
      label: 'Title of its card',
      hint: 'Shown where the link is shared.',
      max: 70,
    }),
    cardText: text({ label: 'Sentence of its card', max: 200 }),
    cardImage: address({ label: 'Picture of its card' }),
  },
  // A target runs behind the guards, so a card tells nothing of a link that is protected.
  target(
    { cardTitle: heading, cardText: text, cardImage: image },
    { links },
    link,
  ): Target | undefined {
    if (!heading) return
    const meta = {
      'og:title': heading,
      'og:url': links.shortUrl(link),
      'og:type': 'website',
      'twitter:card': image ? 'summary_large_image' : 'summary',
      ...(text && { 'og:description': text }),
      ...(image && { 'og:image': image }),
    }
    return ({ userAgent }, url) => {
      if (!readsCards.test(userAgent)) return url
      // Whoever comes here after all, because an app says that it is such a program, goes on at once.
      const way = { link: { label: new URL(url).host || url, url }, wait: 0 }
      return page({ heading, ...(text && { text }), ...way, meta })
    }
  },
})
