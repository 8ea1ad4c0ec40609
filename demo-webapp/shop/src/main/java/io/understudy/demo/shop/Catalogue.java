package io.understudy.demo.shop;

import java.util.List;

/** What the shop sells. */
final class Catalogue {

    /**
     * An article.
     *
     * @param cents the price of one, in euro cents
     */
    record Article(String sku, String name, String blurb, long cents) {}

    static final List<Article> ARTICLES = List.of(
            new Article("opera-glasses", "Opera glasses", "See who is really on stage.", 4_900),
            new Article("velvet-cushion", "Velvet cushion", "For the third act.", 2_450),
            new Article("programme", "Programme", "Cast list, subject to change.", 600),
            new Article("stage-door-rose", "Stage-door rose", "Whoever sings tonight.", 350),
            new Article("prompters-lamp", "Prompter's lamp", "Knows every line.", 8_900));

    /** The price of what is not on the shelf, in euro cents. */
    private static final long PROP_CENTS = 500;

    private Catalogue() {}

    /** An empty cart line for this article; what is not on the shelf is fetched from the props room. */
    static CartItem line(String sku) {
        for (Article article : ARTICLES) {
            if (article.sku().equals(sku)) {
                return new CartItem(sku, article.name(), article.cents());
            }
        }
        return new CartItem(sku, "Prop " + sku, PROP_CENTS);
    }
}
