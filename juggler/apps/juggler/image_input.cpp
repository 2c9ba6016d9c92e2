#include "image_input.hpp"

#include "apps/sat/inspection.hpp"
#include "file_name.hpp"
#include "goes_with.hpp"
#include "subject.hpp"

namespace gridloom::juggler {

namespace {

bool is_of_image(std::string const& app) { return app == "sat" || app == "int_hist"; }

}  // namespace

void image_input::add_options(bench::program& app) {
  app.options()("image", text_option(file_, "FILE.pgm"),
                "sat, int_hist: a grey image of 8 bits; else one made by --seed");
}

void image_input::read(bench::program& app, bool has_image_app) {
  require_with(app.line(), has_image_app, "--app sat or int_hist", {"image"});
  app.input("image", file_);
  if (!file_.empty()) image_ = std::make_shared<grey_image>(read_pgm(file_));
}

bool image_input::is_from_file(std::string const& app) const {
  return is_of_image(app) && !file_.empty();
}

void image_input::describe(subject& what) const {
  if (!is_from_file(what.app)) return;
  what.image = image_;
  what.rows = image_->rows;
  what.cols = image_->cols;
  what.input = file_name(file_);
}

void image_input::make(subject& what, std::uint64_t seed) const {
  if (!is_of_image(what.app)) return;
  if (!what.image) {
    int const brightest = what.app == "sat" ? sat::brightest(what.rows, what.cols) : 255;
    what.image = std::make_shared<grey_image>(make_image(what.rows, what.cols, brightest, seed));
  }
  if (what.app == "sat") sat::require_fit(*what.image, "--image");
}

}  // namespace gridloom::juggler
